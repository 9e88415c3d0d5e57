package org.railyard.roce.loop;

/** Where packets come from, and go to: a socket. */
public interface PacketSource extends AutoCloseable {
    /**
     * Takes packets.
     *
     * @param most how many at most
     * @return whether there were any
     */
    boolean receive(int most);

    /** Lets what is to be sent leave. */
    void flush();

    @Override
    void close();
}
