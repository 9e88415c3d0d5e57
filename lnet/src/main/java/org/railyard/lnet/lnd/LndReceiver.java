package org.railyard.lnet.lnd;

import org.jspecify.annotations.Nullable;

/** Where the payload of one incoming message comes from: in a stream transport, the connection. */
public interface LndReceiver {
    /**
     * Tells what to do with the payload behind the header just parsed. Called exactly once per header that {@link LndUpcalls#parse} did not
     * refuse, either during that call or later from any thread; until then the transport does not read on from this source.
     *
     * <p>With a message: store the first {@code mlen} payload bytes into its fragments, throw the rest away, then call
     * {@link LndUpcalls#complete}. Without one: throw everything away and complete nothing.
     *
     * @param message what to receive into, or null to discard
     * @param mlen bytes to store, 0…rlen
     * @param rlen payload length of the header, bytes
     */
    void receive(@Nullable LndMessage message, int mlen, int rlen);

    /**
     * Tells whether the sender of a GET has also said, to this node only, where the answer is to be placed. Such a GET can not be passed on (spec 10
     * §9). Takes no lock.
     */
    default boolean placesReply() {
        return false;
    }
}
