/** Runs that go another way than a recorded one. */
import { messages } from "../messages";

export const fork = messages({
    "fork.open": "Run again from here…",
    "fork.title": "Run again from step {step}",
    "fork.text":
        "A new run begins with what was recorded before this step. That is not done again and costs nothing; the skills are as they are now.",
    "fork.way": "At this step",
    "fork.again.answer": "Ask the model again",
    "fork.again.tool": "Make the call again",
    "fork.again.other": "Do again what came next",
    "fork.result": "Give the call another result",
    "fork.say": "Say something after it",
    "fork.prompt": "Your message",
    "fork.resultText": "Result",
    "fork.saidText": "What you say",
    "fork.harness": "Framework",
    "fork.otherHarness":
        "Another framework takes over what was said, called and returned. What else the one before knew, such as which skills are loaded, is not taken over.",
    "fork.sameModel": "As before ({model})",
    "fork.edited": "Changed: {what}",
    "fork.nothing": "Nothing is changed but the skills, which are as they are now.",
    "fork.edited.prompt": "your message",
    "fork.edited.images": "its images",
    "fork.edited.result": "the result",
    "fork.edited.say": "what you say",
    "fork.edited.harness": "framework",
    "fork.edited.model": "model",
    "fork.edited.screenplay": "screenplay",
    "fork.start": "Run again",
    "fork.from": "from step {step}",
    "fork.parent": "From step {step} of",
    "fork.gone": "From step {step} of a run that is not here",
    "fork.compare": "Compare with it",
    "fork.children": "Runs from here:",
    "fork.child": "step {step} · {what}",
    "fork.line": "Where this run comes from, and the runs that come from it",
});
