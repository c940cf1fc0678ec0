/* Chases with a behaviour tree, a filter and lists, through include/Navbake.cs.
   tests/programs/main.rs runs it with Mono:

     mono chase.exe LEVEL.navmesh */
using System;
using System.Linq;
using Navbake;

static class Program
{
    const float Frame = 1f / 60f;
    const string Tree = @"(keys: {""growls"": int, ""name"": text}, root: sequence(children: [
        task(task: ""growl"", params: {""word"": ""grrß""}),
        task(task: ""pursue"", params: {""range"": 18.0}),
        task(task: ""cue"", params: {""cue"": ""bite""}),
    ]))";

    static void Assert(bool holds, string what)
    {
        if (!holds) throw new Exception("not true: " + what);
    }

    static NbException Fails(Action action)
    {
        try { action(); }
        catch (NbException error) { return error; }
        throw new Exception("no exception");
    }

    static void Main(string[] arguments)
    {
        Assert(Nb.LibraryVersion == Nb.DeclaredVersion, "the version");
        using (var mesh = NbMesh.LoadFile(arguments[0]))
        using (var nav = NbNav.New(mesh))
            Chase(mesh, nav);
        // Objects that nothing disposes of are freed, too.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Console.WriteLine("bitten");
    }

    static void Chase(NbMesh mesh, NbNav nav)
    {
        uint layer = mesh.Layer("walker");
        Assert(mesh.LayerName(layer) == "walker", "the name of a layer");
        var wrong = Fails(() => mesh.Layer("drägon"));
        Assert(wrong.Result == NbResult.ErrorUnknown && wrong.Message.Contains("drägon"), wrong.Message);
        foreach (uint spawn in mesh.FindMarkers(NbMarkerKind.Spawn, "spitter"))
        {
            Assert(mesh.Marker(spawn).Kind == NbMarkerKind.Spawn && mesh.MarkerName(spawn) == "spitter", "a spawn");
            for (uint i = 0; i < mesh.MarkerPropertyCount(spawn); i++)
                Assert(mesh.MarkerProperty(spawn, mesh.MarkerPropertyName(spawn, i)) != null, "a property");
        }
        var from = new NbVec2(624, 128);
        var to = new NbVec2(48, 352);

        // Lists: the links of the layer, and the steps of a path through a swamp.
        var links = mesh.LayerLinks(layer);
        var query = new NbQuery { From = from, To = to };
        nav.Find(layer, query, out NbPath path, out NbStep[] steps);
        float plain = path.Cost;
        Assert(path.Found == NbFound.Goal && plain > 0 && steps.Length > 0, "a path");
        foreach (var step in steps.Where(step => step.Link >= 0))
            Assert(links[step.Link].Kind == step.Kind && links[step.Link].To.X == step.To.X, "the link of a step");
        var swamp = new NbCostArea { Corner = new NbVec2(-9999, -9999), Opposite = new NbVec2(9999, 9999), Factor = 2 };
        var filter = new NbFilter { Costs = new[] { swamp } };
        query.Filter = filter;
        nav.Find(layer, query, out path, out steps);
        Assert(Math.Abs(path.Cost - 2 * plain) < 1e-3f * plain, "a path through a swamp");
        var profile = mesh.LayerProfile(layer);
        profile.RunSpeed /= 2;
        query.Profile = profile;
        nav.Find(layer, query, out path, out steps);
        Assert(path.Found == NbFound.None || path.Cost > 2 * plain, "a path of a slow agent");

        var enemy = NbAgent.New(mesh, layer, from);
        enemy.SetFilter(filter);
        var nowhere = Fails(() => enemy.SetDestination(new NbVec2(float.NaN, 0)));
        Assert(nowhere.Result == NbResult.ErrorArgument, "a place that is no number");
        enemy.SetProfile(mesh.LayerProfile(layer));

        // A tree, whose tasks are functions of the game.
        string heard = "";
        int bites = 0, landings = 0;
        var tasks = NbTasks.New();
        tasks.Add("growl", call =>
        {
            heard = call.Params;
            call.State.SetNumber("growls", ++call.Memory);
            Assert((string)call.Tick.User == "user" && call.Seconds == Frame, "arguments of the task");
            return call.Memory < 3 ? NbStatus.Running : NbStatus.Success;
        });
        var tree = NbTree.Load(tasks, Tree);
        var state = NbTreeState.New(tree);
        state.SetText("name", "Fenrißwolf");
        state.SetTrace(4);
        var tick = new NbTick { Agent = enemy, Nav = nav, Seconds = Frame, EyeHeight = 10, SightAgent = "flyer", User = "user" };
        tick.Perception = new NbPerception { Hearing = 5000, Memory = 1 };
        tick.Cue = (name, call) =>
        {
            Assert(name == "bite" && call == NbCall.Begin, "arguments of the cue");
            bites++;
            return NbStatus.Success;
        };
        string saved = null;
        for (int frame = 0; bites == 0 && frame < 3600; frame++)
        {
            to.X += 0.5f;
            tick.Target = to;
            state.Tick(tick);
            enemy.Step(nav, Frame);
            landings += enemy.Events().Count(e => e.Kind == NbEventKind.Landed);
            if (frame == 20)
            {
                GC.Collect();
                Assert(state.Running() == "sequence/pursue", state.Running());
                Assert(state.Trace().Contains("pursue"), state.Trace());
                saved = state.Save();
            }
        }
        Assert(bites == 1 && landings > 0, "a bite");
        NbPerception own = tick.Perception.Value;
        Assert(own.Knows && own.Known.X == to.X && own.Hearing == 5000, "it hears the target");
        Assert(state.Number("growls") == 3 && heard == "{\"word\":\"grrß\"}", "growls and parameters");
        Assert(state.Text("name") == "Fenrißwolf", "a text");
        var loaded = NbTreeState.New(tree);
        loaded.Restore(saved);
        Assert(loaded.Running() == "sequence/pursue" && loaded.Number("growls") == 3, "a saved state");

        // An exception of the game ends the tick.
        tick.Cue = (name, call) => throw new InvalidOperationException("no teeth");
        Exception thrown = null;
        for (int frame = 0; thrown == null && frame < 600; frame++)
            try { state.Tick(tick); }
            catch (Exception error) { thrown = error.InnerException; }
        Assert(thrown is InvalidOperationException, "the exception of the game");
        enemy.Dispose();
    }
}
