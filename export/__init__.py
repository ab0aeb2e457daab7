"""Everything that leaves byhand as a file: videos, worksheets, figures; and the subcommands.

What may enter: options, processes, encoders, page layouts. What may not: arithmetic (`engine`),
pictures of a step (`scenes`) and Qt (`desktop`). Manim enters only `export.worker`.
"""
