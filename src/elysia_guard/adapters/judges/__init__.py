"""Judges, asked whether passages answer: a language model, a rerank server, an ONNX model."""
