export {
    adviceText,
    answerError,
    apiError,
    endError,
    findingText,
    keyErrorText,
    keyNextStep,
    modelErrorText,
    nextStep,
    noteText,
} from "./failure-text";
export {
    currentLocale,
    formatMoment,
    formatNumber,
    formatTime,
    inLocale,
    listed,
    otherLocale,
    sentences,
    setLocale,
    systemLocale,
    t,
    textOf,
    worded,
    type Key,
    type Locale,
} from "./locale.svelte";
export { problemText } from "./problem-text";
export { quirkText } from "./quirk-text";
