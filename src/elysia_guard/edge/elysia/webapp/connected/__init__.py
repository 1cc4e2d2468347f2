"""A Weaviate that a person has connected: what stands in it, beside what is ours.

Elysia's own answers stand for what is in it. What these modules do is what those leave out, lose
or take for theirs.
"""
