package org.railyard.decode.tcp;

/** Learns of connections; gives each direction somebody to listen to it. */
public interface ConnectionListener {
    /** What two ends of a connection are listened to by. */
    record Listeners(StreamListener fromInitiator, StreamListener fromAcceptor) {}

    /** Things that happen to a connection beside its bytes. */
    enum Flag {
        SYN,
        SYN_AGAIN,
        FIN,
        RST
    }

    /** Learns of a new connection. */
    Listeners opened(TcpConnection connection);

    /** Learns of a flag that counts: each SYN of the initiator, the first FIN of each end, every RST. */
    void flag(TcpConnection connection, boolean fromInitiator, Flag flag, TcpSegment segment);
}
