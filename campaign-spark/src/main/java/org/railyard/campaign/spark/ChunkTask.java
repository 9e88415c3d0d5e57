package org.railyard.campaign.spark;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.plan.PlanText;
import org.railyard.campaign.run.ChunkException;
import org.railyard.campaign.run.ChunkRun;
import org.railyard.campaign.work.Work;
import scala.Function2;
import scala.collection.Iterator;

/** What an executor does for a chunk: it has the plan as text, and the number of the chunk. */
final class ChunkTask implements Function2<TaskContext, Iterator<Integer>, ChunkResult>, Serializable {
    private static final long serialVersionUID = 1L;

    /** The work of the last plan: inputs are read once in a process, not once for each chunk. */
    private static @Nullable Ready last;

    /** A worker of a thread, which goes on with the next chunk. */
    private static final ThreadLocal<@Nullable Held> HELD = new ThreadLocal<>();

    private final Broadcast<String> plan;
    private final WorkMaker maker;

    ChunkTask(Broadcast<String> plan, WorkMaker maker) {
        this.plan = plan;
        this.maker = maker;
    }

    private record Ready(String text, WorkMaker maker, CampaignPlan plan, Work work) {}

    private record Held(Work work, Work.Worker worker) {}

    private static synchronized Ready ready(String text, WorkMaker maker) {
        Ready known = last;
        if (known == null || !known.text.equals(text) || !known.maker.equals(maker)) {
            CampaignPlan plan = PlanText.parse("the plan from the driver", text);
            known = new Ready(text, maker, plan, maker.of(plan));
            last = known;
        }
        return known;
    }

    private static Work.Worker worker(Work work) {
        Held held = HELD.get();
        if (held == null || held.work != work) {
            held = new Held(work, work.worker());
            HELD.set(held);
        }
        return held.worker;
    }

    @Override
    public ChunkResult apply(TaskContext context, Iterator<Integer> indices) {
        int index = indices.next();
        try {
            Ready ready = ready(plan.value(), maker);
            byte[] rows = ChunkRun.run(worker(ready.work), ready.plan.chunk(index), () -> !context.isInterrupted());
            return new ChunkResult(index, true, rows);
        } catch (ChunkException e) {
            HELD.remove();
            return new ChunkResult(index, false, String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
        }
    }
}
