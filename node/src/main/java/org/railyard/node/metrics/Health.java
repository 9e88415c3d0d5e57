package org.railyard.node.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiInfo;

/**
 * Whether a node can be used, for those who only ask that.
 *
 * @param isUsable whether LNet is configured and an NI, other than the loopback NI, is up and its device works
 * @param text why, in a line
 */
public record Health(boolean isUsable, String text) {
    /** Looks at a node; null stands for one whose LNet is not configured. */
    static Health of(@Nullable LNet lnet) {
        if (lnet == null) {
            return new Health(false, "LNet is not configured");
        }
        List<NiInfo> nis =
                lnet.nis().stream().filter(ni -> !ni.nid().isLoopback()).toList();
        long up = nis.stream().filter(ni -> ni.up() && !ni.failures().fatal()).count();
        return new Health(up > 0, (up > 0 ? "ok: " : "") + up + " of " + nis.size() + " NIs up");
    }
}
