package org.railyard.verbs;

/** How many bytes each message of the connection manager has for its users (spec 20 §2.1). */
public final class PrivateData {
    /** Of a request: 92, of which the header with the IP addresses takes 36. */
    public static final int REQUEST_BYTES = 56;

    /** Of an acceptance. */
    public static final int REPLY_BYTES = 196;

    /** Of a reject. */
    public static final int REJECT_BYTES = 148;

    private PrivateData() {}
}
