package org.railyard.decode.tcp;

/**
 * One end of a TCP connection.
 *
 * @param address its address
 * @param port its port, 0…65535
 */
public record TcpEndpoint(IpAddress address, int port) {
    @Override
    public String toString() {
        return address.v6() ? "[" + address + "]:" + port : address + ":" + port;
    }
}
