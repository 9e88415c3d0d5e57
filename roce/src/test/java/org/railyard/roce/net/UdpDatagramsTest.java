package org.railyard.roce.net;

/** A call for each packet. */
class UdpDatagramsTest extends DatagramsContract {
    @Override
    protected Datagrams network() {
        return new UdpDatagrams();
    }
}
