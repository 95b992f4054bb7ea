"""The drawing of an explanation: the line that failed, what happened, what to do."""

from course_lib.viz.chart import Chart
from course_lib.viz.explanation import Explanation
from course_lib.viz.storage_svg import LETTER, PAD
from course_lib.viz.timeline_svg import put_timeline


def explanation_svg(said: Explanation, alt: str) -> str:
    """From top to bottom, the words of PyTorch last."""
    chart = Chart()
    chart.text(PAD, PAD + 8, said.title, 15, face="Helvetica", bold=True)
    y = PAD + 24.0
    where, code = said.place
    if where:
        chart.frame(PAD, y, max(len(where + code) * LETTER + 40, 200), 28, "stale", "stale line", 2)
        chart.text(PAD + 10, y + 18, where, 11)
        chart.text(PAD + 10 + (len(where) + 2) * LETTER, y + 18, code, bold=True)
        y += 28
    y += 24
    for head, sentences in (("What happened", said.what), ("What to do", said.todo)):
        if not sentences:
            continue
        chart.text(PAD, y, head, 13, face="Helvetica", bold=True)
        y = chart.sentences(y + 19, list(sentences), "ink")
        if head == "What happened" and said.timeline is not None:
            y = put_timeline(chart, said.timeline, y + 16) + 8
        y += 16
    chart.sentences(y, [said.message])
    return chart.svg(alt)
