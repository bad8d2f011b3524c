/** Recorded calls against the skills as they are now. */
import { messages } from "../messages";

export const check = messages({
    "check.open": "Check against the skills as they are now",
    "check.title": "Recorded calls against the skills as they are now",
    "check.over": "{harness} over {roots}",
    "check.played": "Compared with the run that was played again.",
    "check.served": "No model was asked, and nothing was run or written.",
    "check.same": "the same",
    "check.changed": "changed",
    "check.unresolved": "no longer resolves",
    "check.notRun": "not run",
    "check.refused": "not run; nobody allowed it",
    "check.unchecked": "not checked",
    "check.skillSame": "Its skill is as it was, to the byte.",
    "check.skillChanged": "Its skill has changed.",
    "check.good": "No call gives a different result",
    "check.bad": "{n} {n|call gives|calls give} a different result",
    "check.refusedAll": "{n} {n|call was|calls were} not run, because nobody allowed {n|it|them}",
    "check.none": "The run made no calls, so there is nothing to check.",
    "check.scripts": "Play again with scripts",
    "check.scriptsWhy": "Plays the run again from its record. Scripts and commands run as in any run, with your approval.",
    "check.look": "What changed",
    "check.step": "Step {step}",
    "check.goTo": "Open this step",
    "check.differs": "What is new is underlined; what the record had is struck through.",
});
