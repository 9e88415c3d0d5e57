package org.railyard.control.node;

import java.util.Map;
import org.railyard.control.StatsOperation;

/** What the node counted (spec 12 §4.6). */
final class StatsControl {
    private StatsControl() {}

    static Map<String, Object> execute(StatsOperation operation, OperationContext context) {
        return switch (operation) {
            case StatsOperation.Show _ ->
                Map.of("statistics", context.lnet().statistics().toMap());
            case StatsOperation.Sample _ -> SampleView.of(context.lnet());
            case StatsOperation.Reset _ -> {
                context.lnet().inventory().resetStatistics();
                yield Map.of();
            }
        };
    }
}
