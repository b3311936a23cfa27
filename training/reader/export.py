"""Writes reader.onnx (int8) from reader.pt, or from the mean of it and the reader it went on from.

    python export.py --model reader.pt [--mean-with before.pt --share 0.6] --out DIR [--float]

The graph is put together here, operator by operator, from those that ONNX Runtime has for exactly this: a fifth faster than what
comes out of a traced model. There is no mask: rows of a batch have one length. Weights are int8 in 7 bits a channel: on x64
without VNNI the 8-bit product of two int8 numbers overflows. The heads are a sixtieth of the model and decide every figure: fp16.
"""
import argparse, pathlib
import numpy as np
from model import HEADS, HEADS_OF_ATTENTION, stored_weights

OURS, RUNTIME = "", "com.microsoft"
INPUTS = ("input_ids", "token_type_ids")
OUTSIDE = -10000.0  # a span lies in the passage


def mean(one, other, share):
    """Two readers of which one went on from the other lie in one valley: between them it is a little deeper than at either end."""
    return {n: share * t + (1 - share) * other[n] for n, t in one.items() if n in other}


class Graph:
    """Nodes and weights in the order they are made; a node is named as its output."""

    def __init__(self, weights, is_float):
        self.weights, self.is_float, self.nodes, self.stored = weights, is_float, [], []

    def store(self, name, values):
        from onnx import numpy_helper
        self.stored.append(numpy_helper.from_array(values, name))
        return name

    def number(self, name, value, kind=np.int64):
        return self.store(name, np.array(value, kind))

    def op(self, kind, inputs, name, domain=OURS, outputs=None, **settings):
        from onnx import helper
        self.nodes.append(helper.make_node(kind, inputs, outputs or [name], name=name, domain=domain, **settings))
        return name

    def full(self, name):
        """A weight as it is, or in half of its bits: the runtime widens it once, when it loads the file."""
        values = self.weights[name].astype(np.float32)
        if self.is_float or values.ndim < 2:
            return self.store(name, values)
        return self.op("Cast", [self.store(name, values.astype(np.float16))], name + ".wide", to=1)

    def words(self, ids):
        table = self.weights["words.weight"]
        if self.is_float:
            return self.op("Gather", [self.full("words.weight"), ids], "words")
        scale = np.maximum(np.abs(table).max(1, keepdims=True), 1e-9) / 127
        rows = self.op("Gather", [self.store("words.weight", np.round(table / scale).astype(np.int8)), ids], "words.rows")
        scales = self.op("Gather", [self.store("words.scale", scale.astype(np.float32)), ids], "words.scales")
        return self.op("Mul", [self.op("Cast", [rows], "words.wide", to=1), scales], "words")

    def linear(self, x, name):
        columns, bias = np.ascontiguousarray(self.weights[name + ".weight"].T), self.full(name + ".bias")
        if self.is_float:
            return self.op("Add", [self.op("MatMul", [x, self.store(name + ".weight", columns)], name + ".product"), bias], name)
        scale = np.maximum(np.abs(columns).max(0), 1e-9) / 64
        weight = self.store(name + ".weight", np.round(columns / scale).astype(np.int8))
        return self.op("DynamicQuantizeMatMul", [x, weight, self.store(name + ".scale", scale.astype(np.float32)), "", bias], name, RUNTIME)

    def norm(self, x, name):
        return self.op("LayerNormalization", [x, self.full(name + ".weight"), self.full(name + ".bias")], name, axis=-1, epsilon=1e-12)

    def layer(self, x, name):
        query, key, value = parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        self.op("Split", [self.linear(x, name + ".qkv")], name + ".split", outputs=parts, axis=-1)
        mixed = self.op("MultiHeadAttention", [query, key, value], name + ".mixed", RUNTIME, num_heads=HEADS_OF_ATTENTION)
        x = self.norm(self.op("Add", [x, self.linear(mixed, name + ".out")], name + ".middle"), name + ".norm1")
        inner = self.op("Gelu", [self.linear(x, name + ".up")], name + ".inner", RUNTIME)
        return self.norm(self.op("Add", [x, self.linear(inner, name + ".down")], name + ".end"), name + ".norm2")

    def head(self, x, name, out):
        """Two small layers, and one number for each row."""
        inner = self.op("Gemm", [x, self.full(name + "_in.weight"), self.full(name + "_in.bias")], name + "_in", transB=1)
        outer = self.op("Gemm", [self.op("Tanh", [inner], name + "_mid"), self.full(name + "_out.weight"), self.full(name + "_out.bias")],
                        name + "_out", transB=1)
        return self.op("Squeeze", [outer, "last"], out)


def reader_graph(weights, is_float=False):
    g = Graph(weights, is_float)
    zero, one, last = g.number("zero", 0), g.number("one", 1), g.number("last", [-1])
    length = g.op("Gather", [g.op("Shape", ["input_ids"], "shape"), one], "length")
    places = g.op("Gather", [g.full("positions.weight"), g.op("Range", [zero, length, one], "range")], "positions")
    types = g.op("Gather", [g.full("types.weight"), "token_type_ids"], "types")
    x = g.norm(g.op("Add", [g.op("Add", [g.words("input_ids"), types], "typed"), places], "placed"), "norm")
    for i in range(1 + max(int(n.split(".")[1]) for n in weights if n.startswith("layers."))):
        x = g.layer(x, f"layers.{i}")
    first = g.op("Gather", [x, zero], "first", axis=1)
    g.head(first, "relevance", "relevant")
    g.op("Gemm", [first, g.full("entailment.weight"), g.full("entailment.bias")], "entailment", transB=1)

    spans = g.op("Gemm", [g.op("Reshape", [x, g.number("flat", [-1, weights["span.weight"].shape[1]])], "states"), g.full("span.weight"),
                          g.full("span.bias")], "span.flat", transB=1)
    shaped = g.op("Concat", [g.op("Shape", ["input_ids"], "rows"), g.number("two", [2])], "span.shape", axis=0)
    spans = g.op("Reshape", [spans, shaped], "span")
    passage = g.op("Cast", ["token_type_ids"], "passage", to=1)
    outside = g.op("Mul", [g.op("Sub", [g.number("certain", 1, np.float32), passage], "asked"), g.number("never", OUTSIDE, np.float32)], "outside")
    # [CLS] stands outside too, and means "no answer".
    only_first = g.op("Equal", ["range", zero], "is_first")
    allowed = g.op("Where", [only_first, g.number("free", 0, np.float32), outside], "allowed")
    evidence = [first]
    for at, name in ((zero, "start"), (one, "end")):
        raw = g.op("Gather", [spans, at], name + ".raw", axis=2)
        g.op("Add", [raw, allowed], name)
        weight = g.op("Softmax", [g.op("Add", [raw, outside], name + ".inside")], name + ".weight", axis=-1)
        seen = g.op("MatMul", [g.op("Unsqueeze", [weight, g.number(name + ".axis", [1])], name + ".row"), x], name + ".seen")
        evidence.append(g.op("Squeeze", [seen, name + ".axis"], name + ".state"))
    g.head(g.op("Concat", evidence, "evidence", axis=1), "answer", "answerable")
    return g


def save(graph, target):
    import onnx
    from onnx import helper, TensorProto
    shape = lambda name: ["batch", "length"] if name in HEADS[:2] else ["batch"]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "length"]) for n in INPUTS]
    outputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, shape(n)) for n in HEADS]
    outputs.append(helper.make_tensor_value_info("entailment", TensorProto.FLOAT, ["batch", 3]))
    whole = helper.make_graph(graph.nodes, "reader", inputs, outputs, graph.stored)
    opsets = [helper.make_opsetid(OURS, 17), helper.make_opsetid(RUNTIME, 1)]
    onnx.save(helper.make_model(whole, opset_imports=opsets, ir_version=8), str(target))
    print(target, target.stat().st_size / 1e6, "MB")


def main():
    parser = argparse.ArgumentParser()
    for name in ("model", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--mean-with", type=pathlib.Path, nargs="*", default=[], help="readers that went on from the same one, and that one")
    parser.add_argument("--share", type=float, nargs="*", default=[0.6], help="for each: of what there is in the mean with it")
    parser.add_argument("--float", action="store_true", help="also keep reader.fp32.onnx")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    weights = floats(args.model)
    for other, share in zip(args.mean_with, args.share):
        weights = mean(weights, floats(other), share)
    if args.float:
        save(reader_graph(weights, is_float=True), args.out / "reader.fp32.onnx")
    save(reader_graph(weights), args.out / "reader.onnx")


def floats(path):
    return {n: t.float().numpy() for n, t in stored_weights(path).items()}


if __name__ == "__main__":
    main()
