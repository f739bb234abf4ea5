"""Writes a model without weights into a folder: a small Llama's settings and a
tokenizer of two thousand made-up words. vLLM fills in random weights."""

import json
import os
import sys

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
consonants, vowels = "bcdfghklmnprstvw", "aeiou"
syllables = [c + v for c in consonants for v in vowels]
vocabulary = {"<unk>": 0, "<s>": 1, "</s>": 2}
merges = []


def add(token):
    vocabulary.setdefault(token, len(vocabulary))


for code in list(range(33, 127)):
    add(chr(code))
add("\u2581")
for syllable in syllables:
    add(syllable)
    merges.append((syllable[0], syllable[1]))
for syllable in syllables:
    add("\u2581" + syllable)
    merges.append(("\u2581", syllable))
for first in syllables:
    for second in syllables[::4]:
        add("\u2581" + first + second)
        merges.append(("\u2581" + first, second))
tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, unk_token="<unk>", fuse_unk=True))
tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
tokenizer.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
tokenizer.add_special_tokens(["<unk>", "<s>", "</s>"])
tokenizer.save(os.path.join(folder, "tokenizer.json"))


def write(name, value):
    with open(os.path.join(folder, name), "w") as file:
        json.dump(value, file, indent=1)


write("tokenizer_config.json", {
    "tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>",
    "model_max_length": 4096, "clean_up_tokenization_spaces": False,
    "chat_template": "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:",
})
write("config.json", {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": len(vocabulary), "hidden_size": 256,
    "intermediate_size": 512, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 64,
    "max_position_embeddings": 4096, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "tie_word_embeddings": False,
    "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu", "torch_dtype": "bfloat16",
})
write("generation_config.json", {"bos_token_id": 1, "eos_token_id": 2, "do_sample": True})
