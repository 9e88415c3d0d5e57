package org.railyard.decode.tcp;

/**
 * A TCP connection of the capture.
 *
 * @param number its number, from 1 in the order of the capture
 * @param initiator who opened it; a guess if it is not {@code complete}
 * @param acceptor the other end
 * @param complete whether the capture shows how it was opened
 */
public record TcpConnection(int number, TcpEndpoint initiator, TcpEndpoint acceptor, boolean complete) {}
