package org.railyard.bench.sm;

import java.util.SplittableRandom;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;

/** Requests for paths, as hosts make them. */
public final class PathQuestions {
    private static final int ANY_NUMBER = 127;

    private PathQuestions() {}

    /** Returns the port of a host chosen by chance. */
    public static int host(Fabric fabric, SplittableRandom random) {
        int hosts = fabric.nodeCount() - fabric.switchCount();
        return fabric.portIndex(fabric.switchCount() + random.nextInt(hosts), 1);
    }

    /** Asks for one path by GIDs, as before a connection. */
    public static Mad get(Fabric fabric, int source, int destination) {
        Mad mad = Mad.sa(
                MadMethod.GET,
                SaPathRecord.TYPE,
                SaPathRecord.DGID.mask()
                        | SaPathRecord.SGID.mask()
                        | SaPathRecord.REVERSIBLE.mask()
                        | SaPathRecord.NUMB_PATH.mask()
                        | SaPathRecord.P_KEY.mask());
        mad.data(SaPathRecord.TYPE)
                .setGid(SaPathRecord.SGID, Gid.DEFAULT_PREFIX, fabric.portGuid(source))
                .setGid(SaPathRecord.DGID, Gid.DEFAULT_PREFIX, fabric.portGuid(destination))
                .set(SaPathRecord.REVERSIBLE, 1)
                .set(SaPathRecord.NUMB_PATH, 1)
                .set(SaPathRecord.P_KEY, 0xFFFF);
        return mad;
    }

    /** Asks for the paths from a host to all end ports. */
    public static Mad table(Fabric fabric, int source) {
        Mad mad = Mad.sa(
                MadMethod.GET_TABLE, SaPathRecord.TYPE, SaPathRecord.SGID.mask() | SaPathRecord.NUMB_PATH.mask());
        mad.data(SaPathRecord.TYPE)
                .setGid(SaPathRecord.SGID, Gid.DEFAULT_PREFIX, fabric.portGuid(source))
                .set(SaPathRecord.NUMB_PATH, ANY_NUMBER);
        return mad;
    }
}
