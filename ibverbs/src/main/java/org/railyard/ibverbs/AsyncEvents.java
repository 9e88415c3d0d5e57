package org.railyard.ibverbs;

import org.jspecify.annotations.Nullable;
import org.railyard.verbs.AsyncEvent;

/** Events of devices by the numbers of libibverbs (spec 24 §7). */
final class AsyncEvents {
    private static final int CQ_ERROR = 0;
    private static final int QP_FATAL = 1;
    private static final int QP_REQUEST_ERROR = 2;
    private static final int QP_ACCESS_ERROR = 3;
    private static final int COMMUNICATION_ESTABLISHED = 4;
    private static final int PATH_MIGRATION_ERROR = 7;
    private static final int DEVICE_FATAL = 8;
    private static final int PORT_ACTIVE = 9;
    private static final int PORT_ERROR = 10;
    private static final int LID_CHANGE = 11;
    private static final int PKEY_CHANGE = 12;
    private static final int SM_CHANGE = 13;
    private static final int LAST_REQUEST_REACHED = 16;
    private static final int CLIENT_REREGISTER = 17;
    private static final int GID_CHANGE = 18;
    private static final int SPEED_CHANGE = 20;

    private AsyncEvents() {}

    /** Tells whether the element of an event is a queue pair. */
    static boolean isOfQp(int type) {
        return type >= QP_FATAL && type <= PATH_MIGRATION_ERROR || type == LAST_REQUEST_REACHED;
    }

    /** Tells whether the element of an event is the number of a port. */
    static boolean isOfPort(int type) {
        return type == PORT_ACTIVE || type == PORT_ERROR || changesPort(type);
    }

    /** Tells whether a port may be another one than before, though it is not said whether it carries data. */
    static boolean changesPort(int type) {
        return type == LID_CHANGE
                || type == PKEY_CHANGE
                || type == SM_CHANGE
                || type == CLIENT_REREGISTER
                || type == GID_CHANGE
                || type == SPEED_CHANGE;
    }

    /** Returns what an event means to the users of the contract; null if nothing by itself. */
    static AsyncEvent.@Nullable Type meaning(int type) {
        return switch (type) {
            case CQ_ERROR -> AsyncEvent.Type.CQ_ERROR;
            case QP_FATAL, QP_REQUEST_ERROR, QP_ACCESS_ERROR -> AsyncEvent.Type.QP_FATAL;
            case COMMUNICATION_ESTABLISHED -> AsyncEvent.Type.QP_COMMUNICATION_ESTABLISHED;
            case DEVICE_FATAL -> AsyncEvent.Type.DEVICE_FATAL;
            case PORT_ACTIVE -> AsyncEvent.Type.PORT_ACTIVE;
            case PORT_ERROR -> AsyncEvent.Type.PORT_ERROR;
            default -> null;
        };
    }
}
