import type { ApiError } from "../../generated/api";

export function failure(error: Omit<ApiError, "messageZh" | "hintZh">): ApiError {
    return { ...error, messageZh: error.message, hintZh: error.hint };
}

/** What the fake host was never taught: recorded answers know nothing of it. */
export function unrecorded(message: string, hint: string | null = null): ApiError {
    return failure({ code: "unknown", message, hint, path: null, why: null });
}
