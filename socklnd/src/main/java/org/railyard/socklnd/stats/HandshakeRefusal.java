package org.railyard.socklnd.stats;

/** Why a caller was not connected, or a connection was closed because of what came over it. */
public enum HandshakeRefusal {
    /** The source port is above 1023. */
    INSECURE_PORT,
    /** Too many unfinished handshakes. */
    TOO_MANY_HANDSHAKES,
    /** Too many connections, in total or from this peer. */
    TOO_MANY_CONNECTIONS,
    /** The connection request has a wrong magic or version. */
    BAD_REQUEST,
    /** No NI here has the wanted NID. */
    UNKNOWN_NID,
    /** Request or hello did not come in time. */
    TIMEOUT,
    /** The caller went away before it was connected. */
    GONE,
    /** The hello can not be accepted. */
    BAD_HELLO,
    /** The hello has a version that is not spoken here. */
    OTHER_VERSION,
    /** Both sides dialled at once, and ours wins. */
    RACE,
    /** The peer restarted, its old connections had to go first. */
    STALE,
    /** The NI's device is gone, or the NI is stopping. */
    NI_DOWN,
    /** The process, or the machine, has no file descriptor left. */
    NO_DESCRIPTORS,
    /** A peer that was dialled answered the hello with something else than agreed. */
    BAD_ANSWER,
    /** A frame or message broke the rules. */
    BAD_FRAME
}
