import type { ApiError } from "../../generated/api";

export function failure(error: Omit<ApiError, "messageZh" | "hintZh">): ApiError {
    return { ...error, messageZh: error.message, hintZh: error.hint };
}
