package org.railyard.roce.loop;

/** Where packets come from: a socket. */
public interface PacketSource extends AutoCloseable {
    /**
     * Takes packets.
     *
     * @param most how many at most
     * @return whether there were any
     */
    boolean receive(int most);

    @Override
    void close();
}
