package org.railyard.lnet.lnd;

/** What a transport reports about the local device of an NI (spec 10 §11.4). */
public enum DeviceEvent {
    /** The device can not carry traffic: link down, address removed, device gone. */
    FATAL,
    /** The device can carry traffic again. */
    CLEAR,
    /** The device works, but worse than it should. */
    DEGRADED
}
