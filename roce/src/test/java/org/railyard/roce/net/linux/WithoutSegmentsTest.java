package org.railyard.roce.net.linux;

import org.railyard.base.Errno;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.DatagramsContract;

/** A device that can not cut messages into segments: each packet leaves by itself. */
class WithoutSegmentsTest extends DatagramsContract {
    @Override
    protected Datagrams network() {
        return new LinuxDatagrams(new SteeredCalls().withoutSegments(Errno.EIO), () -> 0);
    }
}
