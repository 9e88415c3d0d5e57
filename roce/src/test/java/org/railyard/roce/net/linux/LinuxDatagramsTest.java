package org.railyard.roce.net.linux;

import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.DatagramsContract;

/** Many packets in a call. */
class LinuxDatagramsTest extends DatagramsContract {
    @Override
    protected Datagrams network() {
        return LinuxDatagrams.open(() -> 0);
    }
}
