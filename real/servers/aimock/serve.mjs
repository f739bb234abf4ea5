// Starts aimock with its answers: texts and vectors from answers.json, and
// those that only its own interface can be given.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [answers, port] = process.argv.slice(2);
const installed = createRequire(pathToFileURL(process.cwd() + "/"));
const { LLMock } = await import(pathToFileURL(installed.resolve("@copilotkit/aimock")));

const mock = new LLMock({ port: Number(port), latency: 5, chunkSize: 4, strict: true });
mock.loadFixtureFile(answers);
mock.onRerank(/.*/, [2, 0, 1].map((index) => ({ index, relevance_score: 0.9 - 0.1 * index })));
mock.onModerate(/.*/, { flagged: false, categories: { violence: false }, category_scores: { violence: 0.01 } });
await mock.start();
