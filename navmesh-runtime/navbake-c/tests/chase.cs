/* Chases with a behaviour tree, a filter and lists, through the declarations in
   include/Navbake.cs. tests/programs/main.rs runs it with Mono:

     mono chase.exe LEVEL.navmesh */
using System;
using System.Runtime.InteropServices;
using System.Text;
using Navbake;
using static Navbake.Nb;

static class Program
{
    const float Frame = 1f / 60f;
    const string Tree = @"(keys: {""growls"": int, ""name"": text}, root: sequence(children: [
        task(task: ""growl"", params: {""word"": ""grrß""}),
        task(task: ""pursue"", params: {""range"": 18.0}),
        task(task: ""cue"", params: {""cue"": ""bite""}),
    ]))";

    static int bites;
    static string heard = "";

    static void Assert(bool holds, string what)
    {
        if (!holds) throw new Exception("not true: " + what);
    }

    static UIntPtr Size<T>() => (UIntPtr)Marshal.SizeOf<T>();

    static uint Growl(IntPtr user, ref NbTaskCall call)
    {
        var json = new byte[64];
        for (int i = 0; (json[i] = Marshal.ReadByte(call.@params, i)) != 0; i++) { }
        heard = Encoding.UTF8.GetString(json).TrimEnd('\0');
        long calls = Marshal.ReadInt64(call.memory) + 1;
        Marshal.WriteInt64(call.memory, calls);
        Check(nb_state_set_number(call.state, "growls", calls));
        Assert(user == (IntPtr)5 && call.user == (IntPtr)7 && call.seconds == Frame, "arguments of the task");
        return (uint)(calls < 3 ? NbStatus.Running : NbStatus.Success);
    }

    static uint Cue(IntPtr user, string name, uint call)
    {
        Assert(user == (IntPtr)7 && name == "bite" && call == (uint)NbCall.Begin, "arguments of the cue");
        bites++;
        return (uint)NbStatus.Success;
    }

    static void Main(string[] arguments)
    {
        Assert(nb_version() == NB_VERSION, "the version");
        Check(nb_mesh_load_file(arguments[0], out IntPtr mesh));
        Check(nb_mesh_layer(mesh, "walker", out uint layer));
        Assert(nb_mesh_layer(mesh, "drägon", out _) == NbResult.ErrorUnknown, "an unknown layer");
        try { Check(NbResult.ErrorUnknown); Assert(false, "no exception"); }
        catch (Exception error) { Assert(error.Message.Contains("drägon"), error.Message); }
        Check(nb_nav_new(mesh, out IntPtr nav));
        var from = new NbVec2 { x = 624, y = 128 };
        var to = new NbVec2 { x = 48, y = 352 };

        // Lists: the links of the layer, and the steps of a path that may not drop.
        nb_layer_links(mesh, layer, null, UIntPtr.Zero, Size<NbLink>(), out UIntPtr count);
        var links = new NbLink[(int)count];
        Check(nb_layer_links(mesh, layer, links, count, Size<NbLink>(), out count));
        var steps = new NbStep[64];
        var path = NbPath.New();
        var swamp = new[] { new NbCostArea { corner = new NbVec2 { x = -9999, y = -9999 }, opposite = new NbVec2 { x = 9999, y = 9999 }, factor = 2 } };
        var areas = GCHandle.Alloc(swamp, GCHandleType.Pinned);
        var filter = NbFilter.New();
        var query = NbQuery.New();
        query.from = from;
        query.to = to;
        Check(nb_nav_find(nav, layer, ref query, ref path, steps, (UIntPtr)64u, Size<NbStep>(), out count));
        float plain = path.cost;
        Assert(path.found == (uint)NbFound.Goal && plain > 0, "a path");
        for (int i = 0; i < (int)count; i++)
            if (steps[i].link != 0)
                Assert(links[steps[i].link - 1].kind == steps[i].kind && links[steps[i].link - 1].to.x == steps[i].to.x, "the link of a step");
        filter.costs = areas.AddrOfPinnedObject();
        filter.cost_count = (UIntPtr)1u;
        filter.cost_size = Size<NbCostArea>();
        var pinned = GCHandle.Alloc(filter, GCHandleType.Pinned);
        query.filter = pinned.AddrOfPinnedObject();
        Check(nb_nav_find(nav, layer, ref query, ref path, steps, (UIntPtr)64u, Size<NbStep>(), out count));
        Assert(Math.Abs(path.cost - 2 * plain) < 1e-3f * plain, "a path through a swamp");
        pinned.Free();

        // A tree. The delegates are kept until the tree is freed.
        Check(nb_agent_new(mesh, layer, from, out IntPtr enemy));
        Check(nb_agent_set_filter(enemy, ref filter));
        areas.Free();
        NbTaskFn growl = Growl;
        Check(nb_tasks_new(out IntPtr tasks));
        Check(nb_tasks_add(tasks, "growl", growl, (IntPtr)5));
        byte[] file = Encoding.UTF8.GetBytes(Tree);
        Check(nb_tree_load(tasks, file, (UIntPtr)file.Length, out IntPtr tree));
        Check(nb_state_new(tree, IntPtr.Zero, out IntPtr state));
        Check(nb_state_set_text(state, "name", "Fenrißwolf"));
        var tick = NbTick.New();
        tick.seconds = Frame;
        tick.has_target = 1;
        tick.agent = enemy;
        tick.nav = nav;
        tick.user = (IntPtr)7;
        tick.cue = Cue;
        var pose = NbPose.New();
        var events = new NbEvent[8];
        int frames = 0, landings = 0;
        for (; bites == 0 && frames < 3600; frames++)
        {
            to.x += 0.5f;
            tick.target = to;
            Check(nb_state_tick(state, ref tick, out uint status));
            Check(nb_agent_step(enemy, nav, Frame, ref pose));
            Check(nb_agent_events(enemy, events, (UIntPtr)8u, Size<NbEvent>(), out count));
            for (int i = 0; i < (int)count; i++)
                if (events[i].kind == (uint)NbEventKind.Landed) landings++;
            if (frames == 20) GC.Collect();
        }
        Check(nb_state_number(state, "growls", out double growls));
        var name = new byte[32];
        Check(nb_state_text(state, "name", name, (UIntPtr)32u, out UIntPtr length));
        Assert(Encoding.UTF8.GetString(name, 0, (int)length) == "Fenrißwolf", "a text");
        Assert(growls == 3 && heard == "{\"word\":\"grrß\"}" && landings > 0, "growls, parameters and landings");
        GC.KeepAlive(growl);
        nb_state_free(state);
        nb_tree_free(tree);
        nb_tasks_free(tasks);
        nb_agent_free(enemy);
        nb_nav_free(nav);
        nb_mesh_free(mesh);
        Console.WriteLine(bites == 1 ? "bitten" : "lost");
    }
}
