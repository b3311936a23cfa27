"""Rounds a model to int8 a row, for transport: four times smaller, and training starts from it as well.

    python small.py --base model.onnx|model.fp16.safetensors|reader.onnx --out base.npz
"""
import argparse, json, struct
import numpy as np


def onnx_weights(path):
    """A BERT's weights under their transformers names. Linear weights lose theirs at export; the bias keeps it."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(path).graph
    if any(t.name == "span.bias" for t in graph.initializer):
        return reader_weights(graph)
    tensors = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    weights = {n.removeprefix("bert."): t for n, t in tensors.items() if t.dtype.kind == "f" and "MatMul" not in n}
    users = {i: node for node in graph.node if node.op_type == "Add" for i in node.input}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in tensors:
            bias = next(i for i in users[node.output[0]].input if i in tensors)
            weights[bias.removeprefix("bert.").removesuffix("bias") + "weight"] = np.ascontiguousarray(tensors[node.input[1]].T)
    return weights


def reader_weights(graph):
    """The weights of a shipped reader, under the names of model.py."""
    from onnx import numpy_helper
    tensors = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    weights = {}
    for name, values in tensors.items():
        stem, _, part = name.rpartition(".")
        if part not in ("weight", "bias"):
            continue
        weights[name] = values.astype(np.float32)
        if part == "weight" and stem + ".scale" in tensors:
            scaled = weights[name] * tensors[stem + ".scale"]
            weights[name] = scaled if stem == "words" else np.ascontiguousarray(scaled.T)  # linear ones lie in columns
    return weights


def safetensors_weights(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header, data = json.loads(file.read(size)), file.read()
    return {n: np.frombuffer(data[slice(*e["data_offsets"])], np.float16).reshape(e["shape"])
            for n, e in header.items() if n != "__metadata__" and e["dtype"] == "F16"}


def rounded(weights):
    for name, tensor in weights.items():
        tensor = tensor.astype(np.float32)
        if tensor.ndim < 2:
            yield name, tensor.astype(np.float16)
            continue
        scale = np.maximum(np.abs(tensor).max(1, keepdims=True) / 127, 1e-9)
        yield name, np.round(tensor / scale).astype(np.int8)
        yield name + "/scale", scale.astype(np.float32)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    read = onnx_weights if args.base.endswith(".onnx") else safetensors_weights
    np.savez_compressed(args.out, **dict(rounded(read(args.base))))


if __name__ == "__main__":
    main()
