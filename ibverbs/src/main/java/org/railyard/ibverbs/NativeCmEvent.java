package org.railyard.ibverbs;

import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.verbs.CmEvent;

/**
 * A copy of an event of librdmacm, so that it can be acknowledged before anybody hears of it.
 *
 * @param type number of librdmacm
 * @param id address of the end; of a request the new one
 * @param listenId address of the end that listens, of requests only
 * @param status reason of a reject, otherwise a negative errno or 0
 * @param privateData what the peer said, with the padding of the network
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record NativeCmEvent(int type, long id, long listenId, int status, byte[] privateData) {
    static final int ADDRESS_RESOLVED = 0;
    static final int ADDRESS_ERROR = 1;
    static final int ROUTE_RESOLVED = 2;
    static final int ROUTE_ERROR = 3;
    static final int CONNECT_REQUEST = 4;
    static final int CONNECT_ERROR = 6;
    static final int UNREACHABLE = 7;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;
    static final int TIMEWAIT_EXIT = 15;

    private static final byte[] NOTHING = {};

    static NativeCmEvent copy(long event) {
        int type = VerbsMemory.getInt(event + VerbsLayout.CM_EVENT_TYPE);
        boolean talks = type == CONNECT_REQUEST || type == REJECTED || type == ESTABLISHED;
        long data = talks ? VerbsMemory.getLong(event + VerbsLayout.CM_EVENT_PRIVATE_DATA) : 0;
        int length = data == 0 ? 0 : VerbsMemory.getByte(event + VerbsLayout.CM_EVENT_PRIVATE_LENGTH);
        return new NativeCmEvent(
                type,
                VerbsMemory.getLong(event + VerbsLayout.CM_EVENT_ID),
                VerbsMemory.getLong(event + VerbsLayout.CM_EVENT_LISTEN_ID),
                VerbsMemory.getInt(event + VerbsLayout.CM_EVENT_STATUS),
                length == 0 ? NOTHING : VerbsMemory.getBytes(data, length));
    }

    /** Returns what it means to the users of the contract; null if nothing. */
    CmEvent.@Nullable Type meaning() {
        return switch (type) {
            case ADDRESS_RESOLVED -> CmEvent.Type.ADDRESS_RESOLVED;
            case ADDRESS_ERROR -> CmEvent.Type.ADDRESS_ERROR;
            case ROUTE_RESOLVED -> CmEvent.Type.ROUTE_RESOLVED;
            case ROUTE_ERROR -> CmEvent.Type.ROUTE_ERROR;
            case CONNECT_REQUEST -> CmEvent.Type.CONNECT_REQUEST;
            case CONNECT_ERROR -> CmEvent.Type.CONNECT_ERROR;
            case UNREACHABLE -> CmEvent.Type.UNREACHABLE;
            case REJECTED -> CmEvent.Type.REJECTED;
            case ESTABLISHED -> CmEvent.Type.ESTABLISHED;
            case DISCONNECTED -> CmEvent.Type.DISCONNECTED;
            case DEVICE_REMOVAL -> CmEvent.Type.DEVICE_REMOVED;
            case TIMEWAIT_EXIT -> CmEvent.Type.TIMEWAIT_EXIT;
            default -> null;
        };
    }

    /** Returns the reason of a reject, or a positive errno. */
    int reason() {
        return type == REJECTED ? status : -status;
    }
}
