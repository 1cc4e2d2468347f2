"""Second opinions from a local path: an ONNX model of inference, and LettuceDetect."""
