"""The nouns of the guard: questions, concepts, documents, evidence, verdicts and responses.

Everything here is an immutable value made of the standard library alone, so that every other
part of the program can speak in these words without inheriting anybody's dependencies.
"""
