import type { ApiError } from "../../generated/api";

export function failure(error: Omit<ApiError, "messageZh" | "hintZh">): ApiError {
    return { ...error, messageZh: error.message, hintZh: error.hint };
}

const missing = new WeakSet<object>();

/** The error for questions that the fake host cannot answer: there are no recorded answers to them. */
export function unrecorded(message: string, hint: string | null = null): ApiError {
    const error = failure({ code: "unknown", message, hint, path: null, why: null });
    missing.add(error);
    return error;
}

/** Whether a question failed because no answer to it is recorded. */
export function isUnrecorded(thrown: unknown): boolean {
    return typeof thrown === "object" && thrown !== null && missing.has(thrown);
}
