"""Models that follow a script and do what a model should not, to see what of it is shown.

They know what they made up, and share nothing with what finds it out: no
word of it, no way of reading a sentence.
"""
