package org.railyard.softverbs.card;

import org.railyard.verbs.card.cm.CmPort;

/**
 * An IP address on a port (IPoIB).
 *
 * @param name for example {@code ib0}
 * @param ip first octet in the highest bits
 * @param port the port
 */
public record SoftInterface(String name, int ip, SoftPort port) implements CmPort<SoftQp> {
    @Override
    public SoftDevice device() {
        return port.device();
    }

    @Override
    public int number() {
        return port.number();
    }

    @Override
    public boolean isUp() {
        return port.isUp();
    }
}
