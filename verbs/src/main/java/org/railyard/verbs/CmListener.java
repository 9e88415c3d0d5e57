package org.railyard.verbs;

/** Hears what happens to the ends of connections. */
@FunctionalInterface
public interface CmListener {
    /**
     * Is told of an event, in the loop of the end. The events of one end come in their order.
     *
     * @param id the end; for {@link CmEvent.Type#CONNECT_REQUEST} the listening one
     */
    void onCmEvent(CmId id, CmEvent event);
}
