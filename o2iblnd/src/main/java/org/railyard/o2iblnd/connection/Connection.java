package org.railyard.o2iblnd.connection;

/** What the halves of a connection need of each other and of the whole. Belongs to the loop. */
interface Connection {
    /** Returns the version of the protocol that it speaks. */
    int version();

    /** Returns the most fragments of a transfer that both sides can do. */
    int maxFragments();

    boolean isEstablished();

    /** A message was sent or received that says something. */
    void noteActivity(long now);

    /** Tells whether the peer knows of several messages in one. */
    boolean packs();

    /** Tells whether several messages may come in one. */
    boolean unpacks();

    /** Posts what may be posted when more has been queued that comes together. */
    void pumpSoon();

    /** Posts what may be posted: now, or when the completions have been looked at that came together. */
    void pump();

    /** Posts a buffer again; with a credit for the peer if it is free for anything. */
    void repost(int slot, boolean withCredit);

    /**
     * Logs a warning that names the peer.
     *
     * @param topic what it is about, of which there is one line per interval
     */
    void warn(String topic, String what);

    /** The peer breaks the rules: warns and closes. */
    void refuse(String what);

    /** Ends it. The first reason counts; all its transmits are finished before this returns. */
    void close(CloseReason reason);
}
