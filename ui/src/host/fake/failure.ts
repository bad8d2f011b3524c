import type { ApiError } from "../../generated/api";

export function failure(error: Omit<ApiError, "messageZh" | "hintZh">): ApiError {
    return { ...error, messageZh: error.message, hintZh: error.hint };
}

/** The error for commands that the fake host does not know: there are no recorded answers for them. */
export function unrecorded(message: string, hint: string | null = null): ApiError {
    return failure({ code: "unknown", message, hint, path: null, why: null });
}
