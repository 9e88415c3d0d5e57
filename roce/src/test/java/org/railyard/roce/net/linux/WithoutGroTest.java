package org.railyard.roce.net.linux;

import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.DatagramsContract;

/** A kernel that does not put together what comes. */
class WithoutGroTest extends DatagramsContract {
    @Override
    protected Datagrams network() {
        return new LinuxDatagrams(new SteeredCalls().withoutGro(), () -> 0);
    }
}
