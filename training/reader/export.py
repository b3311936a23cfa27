"""Writes reader.onnx (int8) from reader.pt, or from the mean of it and the reader it went on from.

    python export.py --model reader.pt [--mean-with before.pt --share 0.6] --out DIR [--float]

Weights are int8 in 7 bits a channel (reduce_range): on x64 without VNNI the 8-bit product of two int8 numbers overflows.
"""
import argparse, pathlib, tempfile
import torch
from model import HEADS, load_reader


def mean(one, other, share):
    """Two readers of which one went on from the other lie in one valley: between them it is a little deeper than at either end."""
    theirs = other.state_dict()
    one.load_state_dict({n: share * t + (1 - share) * theirs[n] for n, t in one.state_dict().items()})
    return one


def export(model, target):
    model.eval()
    for layer in model.layers:
        layer.spelt_out = True
    ids = torch.tensor([[101, 2054, 102, 2023, 2003, 102], [101, 2054, 2003, 102, 2023, 102]])
    types = torch.tensor([[0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]])
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    axes = {name: {0: "batch", 1: "length"} for name in inputs + HEADS[:2]} | {name: {0: "batch"} for name in HEADS[2:]}
    torch.onnx.export(model, (ids, torch.ones_like(ids), types), str(target), input_names=list(inputs), output_names=list(HEADS),
                      dynamic_axes=axes, opset_version=17, dynamo=False)


def quantise(source, target, reduce_range=True):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    # The four small heads stay in floating point: they are a sixtieth of the model and decide every figure.
    import onnx
    graph = onnx.load(source).graph
    heads = [n.name for n in graph.node if n.op_type in ("MatMul", "Gemm") and any(h in n.name for h in ("/span/", "/answer_", "/relevance_"))]
    quantize_dynamic(source, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=reduce_range, nodes_to_exclude=heads,
                     op_types_to_quantize=["MatMul", "Gemm", "Gather"], extra_options={"MatMulConstBOnly": True})
    return heads


def main():
    parser = argparse.ArgumentParser()
    for name in ("model", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--mean-with", type=pathlib.Path, help="the reader that it went on from")
    parser.add_argument("--share", type=float, default=0.6, help="of --model in the mean")
    parser.add_argument("--float", action="store_true", help="also keep reader.fp32.onnx")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        full = (args.out if args.float else pathlib.Path(folder)) / "reader.fp32.onnx"
        model = load_reader(args.model)
        export(mean(model, load_reader(args.mean_with), args.share) if args.mean_with else model, full)
        print("left in floating point:", quantise(full, args.out / "reader.onnx"))
    print((args.out / "reader.onnx").stat().st_size / 1e6, "MB")


if __name__ == "__main__":
    main()
