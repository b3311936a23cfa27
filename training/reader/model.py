"""The reader: a BERT encoder with four heads, loadable from safetensors (MiniLM) or an ONNX file (gte-small)."""
import torch
from torch import nn
from torch.nn import functional as F

HEADS = ("start", "end", "answerable", "relevant")
HEADS_OF_ATTENTION = 12


class Layer(nn.Module):
    def __init__(self, width, heads, inner, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm1 = nn.LayerNorm(width, eps=1e-12)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm2 = nn.LayerNorm(width, eps=1e-12)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout if self.training else 0.0)
        mixed = mixed.transpose(1, 2).reshape(batch, length, width)
        x = self.norm1(x + F.dropout(self.out(mixed), self.dropout, self.training))
        return self.norm2(x + F.dropout(self.down(F.gelu(self.up(x))), self.dropout, self.training))


class Reader(nn.Module):
    def __init__(self, layers=6, width=384, heads=HEADS_OF_ATTENTION, inner=1536, words=30522, positions=512, dropout=0.1):
        super().__init__()
        self.dropout = dropout
        self.words = nn.Embedding(words, width)
        self.positions = nn.Embedding(positions, width)
        self.types = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList([Layer(width, heads, inner, dropout) for _ in range(layers)])
        self.span = nn.Linear(width, 2)
        # Answerability looks at the question as a whole and at the words where the answer would start and end.
        self.answer_in = nn.Linear(3 * width, width)
        self.answer_out = nn.Linear(width, 1)
        self.relevance_in = nn.Linear(width, width)
        self.relevance_out = nn.Linear(width, 1)
        self.entailment = nn.Linear(width, 3)  # training only

    def encode(self, input_ids, token_type_ids):
        length = input_ids.shape[1]
        places = torch.arange(length, device=input_ids.device)
        x = self.norm(self.words(input_ids) + self.positions(places)[None] + self.types(token_type_ids))
        x = F.dropout(x, self.dropout, self.training)
        for layer in self.layers:
            x = layer(x)
        return x

    def forward(self, input_ids, token_type_ids, entailment=False):
        """Rows of one length: nothing is padded, so there is no mask."""
        x = self.encode(input_ids, token_type_ids)
        first = x[:, 0]
        # A span lies in the passage (type 1), or at [CLS]: "no answer".
        passage = token_type_ids.to(torch.float32)
        allowed = torch.cat([torch.ones_like(passage[:, :1]), passage[:, 1:]], 1)
        logits = self.span(x).float() + (allowed[..., None] - 1.0) * 10000.0
        start, end = logits[..., 0], logits[..., 1]
        inside = (1.0 - passage) * -10000.0
        at_start = torch.softmax(start + inside, 1).to(x.dtype)[:, None] @ x
        at_end = torch.softmax(end + inside, 1).to(x.dtype)[:, None] @ x
        evidence = torch.cat([first, at_start[:, 0], at_end[:, 0]], -1)
        answerable = self.answer_out(torch.tanh(F.dropout(self.answer_in(evidence), self.dropout, self.training)))[:, 0]
        relevant = self.relevance_out(torch.tanh(F.dropout(self.relevance_in(first), self.dropout, self.training)))[:, 0]
        out = start, end, answerable.float(), relevant.float()
        return (*out, self.entailment(first).float()) if entailment else out


def from_bert(weights, layers, dropout=0.1):
    """A Reader whose encoder has a BERT's weights (names as in transformers); its heads start fresh."""
    model = Reader(layers, dropout=dropout)
    get = lambda name: weights[name].float()
    state = model.state_dict()
    for mine, theirs in (("words", "word_embeddings"), ("positions", "position_embeddings"), ("types", "token_type_embeddings")):
        state[f"{mine}.weight"] = get(f"embeddings.{theirs}.weight")
    for part in ("weight", "bias"):
        state[f"norm.{part}"] = get(f"embeddings.LayerNorm.{part}")
        for i in range(layers):
            old, new = f"encoder.layer.{i}.", f"layers.{i}."
            state[new + f"qkv.{part}"] = torch.cat([get(f"{old}attention.self.{n}.{part}") for n in ("query", "key", "value")])
            for mine, theirs in (("out", "attention.output.dense"), ("norm1", "attention.output.LayerNorm"), ("up", "intermediate.dense"),
                                 ("down", "output.dense"), ("norm2", "output.LayerNorm")):
                state[new + f"{mine}.{part}"] = get(f"{old}{theirs}.{part}")
    model.load_state_dict(state)
    for head in (model.span, model.answer_out, model.relevance_out, model.answer_in, model.relevance_in, model.entailment):
        nn.init.normal_(head.weight, std=0.02)
        nn.init.zeros_(head.bias)
    return model


def read_onnx(path):
    """A BERT's weights out of an ONNX file, under their transformers names. Linear weights lose theirs at export; the bias keeps it."""
    from small import onnx_weights
    return {n: torch.from_numpy(t.copy()) for n, t in onnx_weights(path).items()}


def stored_weights(path):
    path = str(path)
    if path.endswith(".onnx"):
        return read_onnx(path)
    if path.endswith(".npz"):  # rounded by small.py
        import numpy
        stored = numpy.load(path)
        return {n: torch.from_numpy(stored[n].astype("float32") * (stored[n + "/scale"] if n + "/scale" in stored.files else 1))
                for n in stored.files if not n.endswith("/scale")}
    if path.endswith(".pt"):
        return torch.load(path, map_location="cpu")
    from safetensors.torch import load_file
    return load_file(path)


def load_base(path, dropout=0.1):
    """A BERT with fresh heads, or a reader to go on with."""
    weights = stored_weights(path)
    if "span.bias" in weights:
        return reader_of(weights, dropout)
    layers = 1 + max(int(n.split(".")[2]) for n in weights if n.startswith("encoder.layer."))
    return from_bert(weights, layers, dropout)


def reader_of(weights, dropout=0.1):
    model = Reader(1 + max(int(n.split(".")[1]) for n in weights if n.startswith("layers.")), dropout=dropout)
    missing, unknown = model.load_state_dict({n: t.float() for n, t in weights.items()}, strict=False)
    assert not unknown and all(n.startswith("entailment") for n in missing), (missing, unknown)  # only that head is not shipped
    return model


def load_reader(path):
    return reader_of(stored_weights(path))
