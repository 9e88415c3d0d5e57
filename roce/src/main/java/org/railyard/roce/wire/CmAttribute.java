package org.railyard.roce.wire;

import org.jspecify.annotations.Nullable;

/** What a message of the connection manager is. */
public enum CmAttribute {
    /** REQ: a request for a connection. */
    REQUEST(0x10),
    /** MRA: the answer takes time. */
    WAIT(0x11),
    /** REJ: no. */
    REJECT(0x12),
    /** REP: yes. */
    REPLY(0x13),
    /** RTU: the reply is there. */
    READY(0x14),
    /** DREQ: it is over. */
    DISCONNECT_REQUEST(0x15),
    /** DREP: that is understood. */
    DISCONNECT_REPLY(0x16);

    private final int code;

    CmAttribute(int code) {
        this.code = code;
    }

    /** Returns its number. */
    public int code() {
        return code;
    }

    /** Returns the attribute with a number; null if it is none of these. */
    public static @Nullable CmAttribute of(int code) {
        for (CmAttribute each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return null;
    }
}
