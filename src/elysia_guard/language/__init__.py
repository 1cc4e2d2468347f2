"""Text analysis shared by stages and adapters: words, stems, stop words, languages, messages."""
