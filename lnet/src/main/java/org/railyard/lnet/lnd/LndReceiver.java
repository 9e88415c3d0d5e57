package org.railyard.lnet.lnd;

import org.jspecify.annotations.Nullable;

/** Where the payload of one incoming message comes from: in a stream transport, the connection. */
public interface LndReceiver {
    /**
     * Tells what to do with the payload behind the header just parsed. Called exactly once per header that {@link
     * LndUpcalls#parse} did not refuse, either during that call or later from any thread; until then the transport does
     * not read on from this source.
     *
     * <p>With a message: store the first {@code mlen} payload bytes into its fragments, throw the rest away, then call
     * {@link LndUpcalls#complete}. Without one: throw everything away and complete nothing.
     *
     * <p>When the sender {@link #placesReply() says where to place a REPLY}, the message is that REPLY: write its
     * {@code mlen} bytes there, tell the sender, then call {@link LndUpcalls#complete}. Without a message: tell the
     * sender that nothing matches.
     *
     * @param message what to receive into, or null to discard; what to write, or null for nothing
     * @param mlen bytes to store, 0…rlen; bytes to write
     * @param rlen payload length of the header, bytes; bytes to write
     */
    void receive(@Nullable LndMessage message, int mlen, int rlen);

    /**
     * Tells whether the sender of a GET has also said, to this node only, where the REPLY is to be placed. Such a GET
     * can not be passed on (spec 10 §9), and its REPLY goes through {@link #receive}. Takes no lock.
     */
    default boolean placesReply() {
        return false;
    }
}
