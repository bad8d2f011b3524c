/** Looking for steps in all runs, and the filters of the list. */
import { messages } from "../messages";

export const search = messages({
    "search.label": "Search all runs",
    "search.help": "Words, “phrases” and filters, all of which one step must match: {filters}",
    "search.count": "{n} {n|run matches|runs match}",
    "search.none": "Nothing matches.",
    "search.waiting": "Indexing: {n} {n|run|runs} left…",
    "search.running": "{n} {n|run is|runs are} still going on and will be searched afterwards.",
    "search.more": "There are further runs. Narrow the query down.",
    "search.moreSteps": "and further steps of this run",
    "search.step": "Step {step}",
    "search.kind.prompt": "prompt",
    "search.kind.answer": "answer",
    "search.kind.tool": "call",
    "search.kind.note": "note",
    "search.kind.end": "end",
    "search.clear": "Show all runs",
    "search.anyHarness": "Any framework",
    "search.anyModel": "Any model",
    "search.anySkill": "Any skill",
    "search.anyVerdict": "Any verdict",
    "search.anyTime": "Any date",
    "search.noVerdict": "No verdict",
    "search.day": "Last 24 hours",
    "search.week": "Last 7 days",
    "search.month": "Last 30 days",
});
