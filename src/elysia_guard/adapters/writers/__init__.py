"""Writers, asked for an answer sentence by sentence: language models, over any chat."""
