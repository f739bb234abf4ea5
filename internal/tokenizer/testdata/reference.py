"""Makes the test data of this folder, and reference ids of any tokenizer.json.

    pip install tokenizers==0.23.3 tiktoken==0.14.0 sentencepiece==0.2.3 protobuf
    python3 reference.py train              writes NAME.json and cases.json beside this file
    python3 reference.py ranks              writes ranks/small.cl100k_base.tiktoken and ranks/cases.json
    python3 reference.py ids FILE... > OUT  ids of the given tokenizer.json files or of encodings
        that tiktoken has in its cache (cl100k_base.tiktoken in any folder), for
        ASSAY_REFERENCE=OUT go test -tags reference ./internal/tokenizer

Each small tokenizer has the normalisers, the split patterns and the settings of
a family of models, and a vocabulary of a few hundred tokens that is trained here
on the corpus of internal/workload: no file of a model's maker is copied. The
ids are those of Hugging Face's library, without special tokens around the text.
The small file of ranks has, beside what training gives, random stretches of the
corpus, so that a token can be cut into two others in many ways; its ids are
tiktoken's, with the way of splitting of each of its encodings.
"""

import base64
import io
import json
import pathlib
import random
import sys
import tempfile

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

HERE = pathlib.Path(__file__).parent
CORPUS = (HERE / "../../workload/corpus.txt").read_text(encoding="utf-8")

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
DEEPSEEK = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
    r"""| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
)


def split(pattern, behavior="isolated", invert=False):
    return pre_tokenizers.Split(Regex(pattern), behavior, invert=invert)


def byte_level(prefix=False, regex=False):
    return pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=regex)


def over_bytes(*steps, normalizer=None, **options):
    t = Tokenizer(models.BPE(**options))
    t.pre_tokenizer = pre_tokenizers.Sequence(list(steps)) if len(steps) > 1 else steps[0]
    if normalizer:
        t.normalizer = normalizer
    train(t, [], pre_tokenizers.ByteLevel.alphabet())
    t.add_special_tokens(["<|begin|>", "<|end|>", AddedToken("<|mask|>", lstrip=True, rstrip=True)])
    t.add_tokens([AddedToken("<think>", normalized=False), AddedToken("<thin", normalized=False),
                  AddedToken("lone", single_word=True), AddedToken("café", normalized=True)])
    return t


def over_characters(normalizer=None, pre_tokenizer=None, fallback=True, fuse=True):
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=fuse, byte_fallback=fallback))
    if normalizer:
        t.normalizer = normalizer
    if pre_tokenizer:
        t.pre_tokenizer = pre_tokenizer
    # Trained word by word, as SentencePiece does, whatever splits the text later.
    fast = t.pre_tokenizer
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace()])
    train(t, ["<unk>", "<s>", "</s>"] + ([f"<0x{b:02X}>" for b in range(256)] if fallback else []), [], limit=70)
    raw = json.loads(t.to_str())
    raw["pre_tokenizer"] = json.loads(fast.__getstate__()) if fast else None
    raw["added_tokens"] = [a for a in raw["added_tokens"] if not a["content"].startswith("<0x")]
    return Tokenizer.from_str(json.dumps(raw))


def train(t, special, alphabet, limit=None):
    options = {"limit_alphabet": limit} if limit else {}
    size = len(special) + len(alphabet) + 350 + (limit or 0)
    t.train_from_iterator(
        CORPUS.split("\n\n"),
        trainers.BpeTrainer(vocab_size=size, special_tokens=special, initial_alphabet=alphabet, show_progress=False, **options),
    )


def metaspace(scheme, split):
    return pre_tokenizers.Metaspace(replacement="▁", prepend_scheme=scheme, split=split)


def unigram(normalizer, pre_tokenizer, fallback):
    """A model of SentencePiece's, with its table of rules, read as the converters of such models do."""
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2

    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder, "rules.tsv")
        hexed = lambda s: " ".join(f"{ord(c):X}" for c in s)
        rules.write_text("".join(f"{hexed(a)}\t{hexed(b)}\n" for a, b in RULES))
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(CORPUS.split("\n")), model_writer=model, vocab_size=400 + (256 if fallback else 0), model_type="unigram",
            normalization_rule_tsv=str(rules), byte_fallback=fallback, minloglevel=2, character_coverage=0.99, num_threads=1)
    proto = sentencepiece_model_pb2.ModelProto.FromString(model.getvalue())
    t = Tokenizer(models.Unigram([(p.piece, p.score) for p in proto.pieces], proto.trainer_spec.unk_id, fallback))
    t.normalizer = normalizer(normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap))
    t.pre_tokenizer = pre_tokenizer
    t.add_special_tokens(["<s>", "</s>"])
    return t


# What SentencePiece's own rules do, in small: white space, widths, ligatures,
# composition, what vanishes, and beginnings of clusters.
RULES = [("\t", " "), ("\n", " "), ("\r", " "), ("\u00a0", " "), ("\u2003", " "), ("\u3000", " "), ("\u200b", ""), ("\u200d", ""), ("\x7f", ""),
         ("ﬁ", "fi"), ("①", "1"), ("½", "1⁄2"), ("e\u0301", "é"), ("A\u030a", "Å"), ("\u212b", "Å"), ("ª", "a"), ("º\u0301", "ó")]
RULES += [(chr(0xFEE0 + c), chr(c)) for c in range(0x21, 0x7F)]

LLAMA2 = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
FAMILIES = {
    "gpt2": lambda: over_bytes(byte_level(regex=True)),
    "prefixed": lambda: over_bytes(byte_level(prefix=True, regex=True)),  # RoBERTa, early OPT
    "llama3": lambda: over_bytes(split(LLAMA3), byte_level(), ignore_merges=True),
    "qwen2": lambda: over_bytes(split(QWEN2), byte_level(), normalizer=normalizers.NFC()),
    "o200k": lambda: over_bytes(split(O200K, "removed", invert=True), byte_level()),
    "deepseek": lambda: over_bytes(split(r"\p{N}{1,3}"), split("[一-龥぀-ゟ゠-ヿ]+"), split(DEEPSEEK), byte_level()),
    "starcoder": lambda: over_bytes(pre_tokenizers.Digits(individual_digits=True), byte_level(regex=True)),
    "behaviors": lambda: over_bytes(split(r"\p{P}", "merged_with_previous"), split("e", "merged_with_next"),
                                    pre_tokenizers.Digits(individual_digits=False), split("o", "contiguous"), byte_level()),
    "llama2": lambda: over_characters(LLAMA2),
    "gemma": lambda: over_characters(normalizers.Replace(" ", "▁"), pre_tokenizers.Split(" ", "merged_with_previous")),
    "mistral": lambda: over_characters(None, metaspace("first", False)),
    "metaspace": lambda: over_characters(normalizers.NFKC(), metaspace("always", True), fallback=False, fuse=False),
    "t5": lambda: unigram(lambda table: table, pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace("always", True)]), False),
    "xlmr": lambda: unigram(lambda table: normalizers.Sequence([table, normalizers.Strip(left=False), normalizers.Replace(Regex(" {2,}"), "▁")]),
                            metaspace("first", True), True),
    "unknown": lambda: over_characters(LLAMA2, fallback=False, fuse=True),
}

TEXTS = [
    "", " ", "  ", "\n", " \n ", "a", " a", "a ", "Hello, world!", "  leading and trailing  ", "tabs\tand\t\ttabs", "line\r\nline\n\n\nline \n  indented",
    "don't we'll I'VE they'Re 'S ’s 'ſ it'd've", "1 12 123 1234 12345678 3.14159 ½ ² Ⅷ ٣٤٥ 1,000,000", "camelCase HTTPServer iOS McDonald ÀÉÎ ǅ ʰmod",
    "snake_case kebab-case a/b\\c C:\\dir https://example.org/a?b=c&d=%20#e", "!!! ??? ... --- ___ *** (((nested))) [x] {y} <z>",
    "naïve café cafe\u0301 Ångström A\u030a \u1e9b\u0323 ﬁ ① ｆｕｌｌ", "漢字かな交じり文、カタカナ。中文没有空格 한국어 띄어쓰기", "مرحبا بالعالم שלום עולם हिन्दी ไทย",
    "🙂 👩‍👩‍👧‍👦 🇩🇪 ✈️ e\u0301\u0302 \u200b\u200d\ufeff \u00a0nbsp\u2003em\u3000wide \x85 \x1c \x00 \x7f", "\U0010ffff\ue000 \u2028 \u2029",
    "▁ ▁▁ a▁b ▁a _▁", "<|begin|>text<|end|> <|begin|><|end|>", "a <|mask|> b<|mask|>c  <|mask|>  <|mask|>d", "<think> <thin> <thi <<think>>",
    "lone alone lone, lone_ (lone) lonely lone", "café cafe\u0301 caf", "<s> </s>x<unk><0x0A> <s>", "the the the thethethe theeeeeee eeeee oooo ooo",
    "a" * 100 + " " + "ab" * 60 + " " + "-" * 70 + " " * 60 + "x", "The the THE tHe\n\tthe  the   the",
]


# What the patterns of tiktoken's encodings tell apart, and their special tokens.
RANKED = [
    "end of text\n  ", "end\n\n \n", "end \t ", " \r\n \t x\n", "a  \n  b", "1234567 89 12", "'S'LL we'Ve it's'x 's'ſ 'ſt",
    "<|endoftext|>", "a<|endoftext|>  <|endofprompt|>\n ", "<|fim_prefix|>x <|fim_middle|> y<|fim_suffix|>", "<|start|>user<|message|>hi  <|end|>",
    "<|reserved_200018|><|reserved_201087|><|reserved_201088|><|startoftext|><|endoftext", "path/to//file/\n/", "ƛǅȀ aBcDÉfǅg ŉ", "\u0e01\u0e33\u0301\u0903 क्षि",
]


def texts(more=()):
    r = random.Random(7)
    yield from TEXTS
    yield from more
    yield from CORPUS.strip().split("\n\n")[3:7] + CORPUS.strip().split("\n\n")[9:11]
    letters = "aeioutnshrdl   ,.'\n0129-éßñ漢の🙂▁\u0301\u00a0"
    for _ in range(12):
        yield "".join(r.choice(letters) for _ in range(r.randrange(1, 50)))


def ids(tokenizer):
    return [tokenizer.encode(t, add_special_tokens=False).ids for t in texts()]


def write(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def small_ranks():
    r = random.Random(11)
    t = over_bytes(split(LLAMA3), byte_level())
    letters = {c: b for b, c in enumerate(letters_of_bytes())}
    trained = [bytes(letters[c] for c in token) for token, _ in sorted(t.get_vocab(with_added_tokens=False).items(), key=lambda x: x[1])]
    tokens = [bytes([b]) for b in r.sample(range(256), 256)] + [token for token in trained if len(token) > 1]
    raw = CORPUS.encode()
    while len(tokens) < 800:
        at = r.randrange(len(raw) - 8)
        token = raw[at:at + r.randrange(2, 8)]
        if token not in tokens:
            tokens.insert(r.randrange(256, len(tokens)), token)
    return {token: rank for rank, token in enumerate(tokens)}


def letters_of_bytes():
    visible = [b for b in range(256) if chr(b).isprintable() and chr(b) != " "]
    hidden = [b for b in range(256) if b not in visible]
    return [chr(b) if b in visible else chr(256 + hidden.index(b)) for b in range(256)]


def encodings(names, ranks=None):
    """Of each name, an encoder to ids: tiktoken's, of these ranks or of those in its cache."""
    import tiktoken
    from tiktoken_ext import openai_public

    if ranks:
        openai_public.load_tiktoken_bpe = lambda *_, **__: ranks
    for name in names:
        parts = openai_public.ENCODING_CONSTRUCTORS[name]()
        parts.pop("explicit_n_vocab", None)
        encoding = tiktoken.Encoding(**parts)
        yield name, lambda text: encoding.encode(text, allowed_special="all")


if __name__ == "__main__":
    if sys.argv[1] == "train":
        found = {}
        for name, make in FAMILIES.items():
            tokenizer = make()
            write(HERE / f"{name}.json", json.loads(tokenizer.to_str()))
            found[name] = ids(Tokenizer.from_file(str(HERE / f"{name}.json")))
        write(HERE / "cases.json", {"texts": list(texts()), "ids": found})
    elif sys.argv[1] == "ranks":
        ranks = small_ranks()
        lines = [base64.b64encode(token).decode() + f" {rank}\n" for token, rank in ranks.items()]
        (HERE / "ranks/small.cl100k_base.tiktoken").write_text("".join(lines))
        found = {}
        for name, encode in encodings(["r50k_base", "cl100k_base", "o200k_base", "o200k_harmony"], ranks):
            found[name] = [encode(t) for t in texts(RANKED)]
        write(HERE / "ranks/cases.json", {"texts": list(texts(RANKED)), "ids": found})
    else:
        found = {}
        for path in sys.argv[2:]:
            name = pathlib.Path(path).name.removesuffix(".tiktoken")
            if path.endswith(".tiktoken"):
                found[path] = [encode(t) for _, encode in encodings([name]) for t in texts(RANKED)]
            else:
                found[path] = [Tokenizer.from_file(path).encode(t, add_special_tokens=False).ids for t in texts(RANKED)]
        print(json.dumps({"texts": list(texts(RANKED)), "ids": found}))
