package org.railyard.ibverbs;

import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
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
    private static final byte[] NOTHING = {};

    static NativeCmEvent copy(long event) {
        int type = VerbsMemory.getInt(event + VerbsLayout.CM_EVENT_TYPE);
        boolean talks = type == VerbsNumbers.CM_CONNECT_REQUEST
                || type == VerbsNumbers.CM_REJECTED
                || type == VerbsNumbers.CM_ESTABLISHED;
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
            case VerbsNumbers.CM_ADDRESS_RESOLVED -> CmEvent.Type.ADDRESS_RESOLVED;
            case VerbsNumbers.CM_ADDRESS_ERROR -> CmEvent.Type.ADDRESS_ERROR;
            case VerbsNumbers.CM_ROUTE_RESOLVED -> CmEvent.Type.ROUTE_RESOLVED;
            case VerbsNumbers.CM_ROUTE_ERROR -> CmEvent.Type.ROUTE_ERROR;
            case VerbsNumbers.CM_CONNECT_REQUEST -> CmEvent.Type.CONNECT_REQUEST;
            case VerbsNumbers.CM_CONNECT_ERROR -> CmEvent.Type.CONNECT_ERROR;
            case VerbsNumbers.CM_UNREACHABLE -> CmEvent.Type.UNREACHABLE;
            case VerbsNumbers.CM_REJECTED -> CmEvent.Type.REJECTED;
            case VerbsNumbers.CM_ESTABLISHED -> CmEvent.Type.ESTABLISHED;
            case VerbsNumbers.CM_DISCONNECTED -> CmEvent.Type.DISCONNECTED;
            case VerbsNumbers.CM_DEVICE_REMOVAL -> CmEvent.Type.DEVICE_REMOVED;
            case VerbsNumbers.CM_TIMEWAIT_EXIT -> CmEvent.Type.TIMEWAIT_EXIT;
            default -> null;
        };
    }

    /** Returns the reason of a reject, or a positive errno. */
    int reason() {
        return type == VerbsNumbers.CM_REJECTED ? status : -status;
    }
}
