package org.railyard.roce.wire;

/** From where to where a datagram travels: addresses with the first octet in the highest bits, UDP ports. */
public record UdpRoute(int sourceIp, int sourcePort, int destinationIp, int destinationPort) {}
