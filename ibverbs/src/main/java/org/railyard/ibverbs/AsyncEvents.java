package org.railyard.ibverbs;

import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.AsyncEvent;

/** Events of devices by the numbers of libibverbs (spec 24 §7). */
final class AsyncEvents {
    private AsyncEvents() {}

    /** Tells whether the element of an event is a queue pair. */
    static boolean isOfQp(int type) {
        return type >= VerbsNumbers.ASYNC_QP_FATAL && type <= VerbsNumbers.ASYNC_PATH_MIGRATION_ERROR
                || type == VerbsNumbers.ASYNC_LAST_REQUEST_REACHED;
    }

    /** Tells whether the element of an event is the number of a port. */
    static boolean isOfPort(int type) {
        return type == VerbsNumbers.ASYNC_PORT_ACTIVE || type == VerbsNumbers.ASYNC_PORT_ERROR || changesPort(type);
    }

    /** Tells whether a port may be another one than before, though it is not said whether it carries data. */
    static boolean changesPort(int type) {
        return changesPaths(type)
                || type == VerbsNumbers.ASYNC_PKEY_CHANGE
                || type == VerbsNumbers.ASYNC_GID_CHANGE
                || type == VerbsNumbers.ASYNC_SPEED_CHANGE;
    }

    /** Tells whether paths of a port may be others than before. */
    static boolean changesPaths(int type) {
        return type == VerbsNumbers.ASYNC_LID_CHANGE
                || type == VerbsNumbers.ASYNC_SM_CHANGE
                || type == VerbsNumbers.ASYNC_CLIENT_REREGISTER;
    }

    /** Returns what an event means to the users of the contract; null if nothing by itself. */
    static AsyncEvent.@Nullable Type meaning(int type) {
        return switch (type) {
            case VerbsNumbers.ASYNC_CQ_ERROR -> AsyncEvent.Type.CQ_ERROR;
            case VerbsNumbers.ASYNC_QP_FATAL, VerbsNumbers.ASYNC_QP_REQUEST_ERROR, VerbsNumbers.ASYNC_QP_ACCESS_ERROR ->
                AsyncEvent.Type.QP_FATAL;
            case VerbsNumbers.ASYNC_COMMUNICATION_ESTABLISHED -> AsyncEvent.Type.QP_COMMUNICATION_ESTABLISHED;
            case VerbsNumbers.ASYNC_DEVICE_FATAL -> AsyncEvent.Type.DEVICE_FATAL;
            case VerbsNumbers.ASYNC_PORT_ACTIVE -> AsyncEvent.Type.PORT_ACTIVE;
            case VerbsNumbers.ASYNC_PORT_ERROR -> AsyncEvent.Type.PORT_ERROR;
            default -> null;
        };
    }
}
