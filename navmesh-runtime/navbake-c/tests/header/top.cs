/* Navbake.cs: navbake.h for C#, generated from the same source; do not edit.

   An object (NbMesh, NbAgent, ...) has a method for each of its functions. Dispose frees
   it; so does the garbage collector, later. Errors of the library are NbException.
   One call at a time uses an object, on any thread. Positions are world units, those of
   an agent's feet: the bottom centre of its body. Time is in seconds. */
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Navbake
{
    /// <summary>The library.</summary>
    public static class Nb
    {
#if UNITY_IOS && !UNITY_EDITOR
        internal const string Library = "__Internal"; // part of the program
#else
        internal const string Library = "navbake_c";
#endif
        /// <summary>The version of the interface that this file declares.</summary>
        public const uint DeclaredVersion = VERSION;

        /// <summary>The version of the interface in the library, at least <c>DeclaredVersion</c>.</summary>
        public static uint LibraryVersion => Native.nb_version();

        internal static void Check(NbResult result)
        {
            if (result != NbResult.Ok)
                throw new NbException(result, Marshal.PtrToStringUTF8(Native.nb_error_message()));
        }

        /// Whether a list is longer than its buffer, which then gets its length.
        internal static bool IsLonger<T>(NbResult result, ref T[] buffer, UIntPtr count)
        {
            if (result != NbResult.ErrorBuffer)
            {
                Check(result);
                return false;
            }
            // A text needs a byte for its zero.
            buffer = new T[(int)count + (typeof(T) == typeof(byte) ? 1 : 0)];
            return true;
        }
    }

    /// <summary>An error of the library. Its message says what is wrong.</summary>
    public sealed class NbException : Exception
    {
        /// <summary>What kind of error it is.</summary>
        public readonly NbResult Result;

        internal NbException(NbResult result, string message) : base(message) => Result = result;
    }

    /// <summary>An object of the library.</summary>
    public abstract class NbObject : SafeHandle
    {
        internal NbObject() : base(IntPtr.Zero, true) { }

        /// <inheritdoc/>
        public override bool IsInvalid => handle == IntPtr.Zero;

        internal abstract void Free(IntPtr handle);

        /// <inheritdoc/>
        protected override bool ReleaseHandle()
        {
            Free(handle);
            return true;
        }
    }

    public partial struct NbVec2
    {
        /// <summary>A position, velocity or size.</summary>
        public NbVec2(float x, float y)
        {
            X = x;
            Y = y;
        }
    }

    public sealed partial class NbPools
    {
        internal static readonly NbPools None = new NbPools();
    }

    public sealed partial class NbTree
    {
        /// <summary>Makes a tree from the text of a file, in RON or JSON.</summary>
        public static NbTree Load(NbTasks tasks, string text) => Load(tasks, Encoding.UTF8.GetBytes(text));
    }

    /// <summary>One call of a task of the game.</summary>
    public sealed class NbTaskCall
    {
        readonly IntPtr memory;

        internal NbTaskCall(NbTaskCallRaw raw, NbTreeState state)
        {
            Call = raw.call;
            Seconds = raw.seconds;
            Params = Marshal.PtrToStringUTF8(raw.@params);
            memory = raw.memory;
            State = state;
            Tick = state.Ticked;
        }

        /// <summary>Which call it is.</summary>
        public NbCall Call { get; }
        /// <summary>Seconds since the last tick.</summary>
        public float Seconds { get; }
        /// <summary>The parameters of the task in the tree file, as a JSON object.</summary>
        public string Params { get; }
        /// <summary>The tick that called the task, with its agent and user.</summary>
        public NbTick Tick { get; }
        /// <summary>The state of the tree, for its blackboard.</summary>
        public NbTreeState State { get; }
        /// <summary>A number of the task: 0 when it begins, and kept until it ends.</summary>
        public long Memory
        {
            get => Marshal.ReadInt64(memory);
            set => Marshal.WriteInt64(memory, value);
        }
    }

    public sealed partial class NbTasks
    {
        // Trees may call them as long as the program runs.
        static readonly List<GCHandle> functions = new List<GCHandle>();

        /// <summary>
        /// Adds a task of the game under the name that tree files use, in place of a task of
        /// that name. An exception in it ends the tick, which throws it again.
        /// </summary>
        public void Add(string name, Func<NbTaskCall, NbStatus> function)
        {
            var kept = GCHandle.Alloc(function);
            lock (functions) functions.Add(kept);
            Nb.Check(Native.nb_tasks_add(this, name, NbTreeState.OnTask, GCHandle.ToIntPtr(kept)));
        }
    }

    /// <summary>What one tick of a tree needs. A game keeps one for each enemy.</summary>
    public sealed class NbTick
    {
        /// <summary>The agent.</summary>
        public NbAgent Agent;
        /// <summary>The level.</summary>
        public NbNav Nav;
        /// <summary>Seconds since the last tick, finite and not negative.</summary>
        public float Seconds;
        /// <summary>The feet of the target; null if there is none.</summary>
        public NbVec2? Target;
        /// <summary>Width and height of the target's body; 0 for one as large as the agent.</summary>
        public NbVec2 TargetBody;
        /// <summary>How far above its feet the agent looks from and is seen at.</summary>
        public float EyeHeight;
        /// <summary>The agent in whose layer lines of sight are searched; null for the agent's own.</summary>
        public string SightAgent;
        /// <summary>1 or -1: where the agent looks, if the game turns it; 0 for where it moves.</summary>
        public int Facing;
        /// <summary>Whether the player cannot see the agent. Agents on screen take tokens from others.</summary>
        public bool OffScreen;
        /// <summary>Plays cues, such as an attack. Without it, tasks with cues fail.</summary>
        public Func<string, NbCall, NbStatus> Cue;
        /// <summary>Turns the agent towards a position.</summary>
        public Action<NbVec2> Face;
        /// <summary>
        /// What the agent perceives of the target, updated by each tick; null for an agent that
        /// always knows where its target is.
        /// </summary>
        public NbPerception? Perception;
        /// <summary>For the tasks of the game: usually the enemy.</summary>
        public object User;
    }

    // With IL2CPP only such static methods can be called from outside.
    [AttributeUsage(AttributeTargets.Method)]
    sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    delegate NbStatus TaskFn(IntPtr user, IntPtr call);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    delegate NbStatus CueFn(IntPtr user, IntPtr name, NbCall call);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    delegate void FaceFn(IntPtr user, float x, float y);

    public sealed partial class NbTreeState
    {
        internal static readonly TaskFn OnTask = CallTask;
        static readonly CueFn OnCue = CallCue;
        static readonly FaceFn OnFace = CallFace;
        static readonly IntPtr cue = Marshal.GetFunctionPointerForDelegate(OnCue);
        static readonly IntPtr face = Marshal.GetFunctionPointerForDelegate(OnFace);

        /// The tick that is running.
        internal NbTick Ticked;
        Exception thrown;

        /// <summary>Ticks a tree once, before or after the agent is stepped, and returns its status.</summary>
        public NbStatus Tick(NbTick tick)
        {
            NbStatus status = NbStatus.Failure;
            During(tick, (ref NbTickRaw raw) => Native.nb_state_tick(this, ref raw, out status));
            return status;
        }

        /// <summary>Aborts what is running in a tree, for instance when the agent is stunned or dies.</summary>
        public void Reset(NbTick tick) =>
            During(tick, (ref NbTickRaw raw) => Native.nb_state_reset(this, ref raw));

        /// <summary>
        /// Moves an agent to another version of its tree, when the file has changed while the
        /// game runs: what is the same in both goes on. On an error the agent keeps its tree.
        /// </summary>
        public void Migrate(NbTree tree, NbPools pools, NbTick tick) =>
            During(tick, (ref NbTickRaw raw) => Native.nb_state_migrate(this, tree, pools ?? NbPools.None, ref raw));

        delegate NbResult Use(ref NbTickRaw raw);

        void During(NbTick tick, Use use)
        {
            var self = GCHandle.Alloc(this);
            var outer = Ticked;
            try
            {
                Ticked = tick;
                thrown = null;
                using (var memory = new Memory())
                {
                    var raw = new NbTickRaw
                    {
                        size = (uint)Marshal.SizeOf<NbTickRaw>(),
                        seconds = tick.Seconds,
                        eye_height = tick.EyeHeight,
                        has_target = tick.Target.HasValue ? 1 : 0,
                        target = tick.Target.GetValueOrDefault(),
                        target_body = tick.TargetBody,
                        facing = tick.Facing,
                        off_screen = tick.OffScreen ? 1 : 0,
                        agent = memory.Put(tick.Agent),
                        nav = memory.Put(tick.Nav),
                        sight_agent = memory.Put(tick.SightAgent),
                        user = GCHandle.ToIntPtr(self),
                        cue = tick.Cue == null ? IntPtr.Zero : cue,
                        face = tick.Face == null ? IntPtr.Zero : face,
                        perception = memory.Put(tick.Perception),
                    };
                    var result = use(ref raw);
                    if (thrown != null) throw new Exception("an exception in a function that a tree calls", thrown);
                    Nb.Check(result);
                    if (tick.Perception != null)
                        tick.Perception = Marshal.PtrToStructure<NbPerception>(raw.perception);
                }
            }
            finally
            {
                Ticked = outer;
                self.Free();
            }
        }

        [MonoPInvokeCallback(typeof(TaskFn))]
        static NbStatus CallTask(IntPtr user, IntPtr call)
        {
            var raw = Marshal.PtrToStructure<NbTaskCallRaw>(call);
            var state = (NbTreeState)GCHandle.FromIntPtr(raw.user).Target;
            try
            {
                var function = (Func<NbTaskCall, NbStatus>)GCHandle.FromIntPtr(user).Target;
                return function(new NbTaskCall(raw, state));
            }
            catch (Exception error)
            {
                state.thrown = state.thrown ?? error;
                return NbStatus.Failure;
            }
        }

        [MonoPInvokeCallback(typeof(CueFn))]
        static NbStatus CallCue(IntPtr user, IntPtr name, NbCall call)
        {
            var state = (NbTreeState)GCHandle.FromIntPtr(user).Target;
            try
            {
                return state.Ticked.Cue(Marshal.PtrToStringUTF8(name), call);
            }
            catch (Exception error)
            {
                state.thrown = state.thrown ?? error;
                return NbStatus.Failure;
            }
        }

        [MonoPInvokeCallback(typeof(FaceFn))]
        static void CallFace(IntPtr user, float x, float y)
        {
            var state = (NbTreeState)GCHandle.FromIntPtr(user).Target;
            try
            {
                state.Ticked.Face(new NbVec2(x, y));
            }
            catch (Exception error)
            {
                state.thrown = state.thrown ?? error;
            }
        }
    }

    /// What a call reads, until it has returned.
    sealed class Memory : IDisposable
    {
        readonly List<IntPtr> blocks = new List<IntPtr>();
        readonly List<SafeHandle> objects = new List<SafeHandle>();

        internal IntPtr Put(NbObject used)
        {
            if (used == null) return IntPtr.Zero;
            bool isHeld = false;
            used.DangerousAddRef(ref isHeld);
            objects.Add(used);
            return used.DangerousGetHandle();
        }

        internal IntPtr Put(string text) =>
            text == null ? IntPtr.Zero : Put(Encoding.UTF8.GetBytes(text + '\0'));

        internal IntPtr Put<T>(T[] list) where T : struct
        {
            if (list == null || list.Length == 0) return IntPtr.Zero;
            int size = Marshal.SizeOf<T>();
            IntPtr block = Block(list.Length * size);
            for (int i = 0; i < list.Length; i++) Marshal.StructureToPtr(list[i], block + i * size, false);
            return block;
        }

        internal IntPtr Put(NbProfile? profile)
        {
            if (profile == null) return IntPtr.Zero;
            var raw = profile.Value;
            raw.size = (uint)Marshal.SizeOf<NbProfile>();
            return Put(new[] { raw });
        }

        internal IntPtr Put(NbPerception? perception)
        {
            if (perception == null) return IntPtr.Zero;
            var raw = perception.Value;
            raw.size = (uint)Marshal.SizeOf<NbPerception>();
            return Put(new[] { raw });
        }

        internal IntPtr Put(NbFilter? filter) =>
            filter == null ? IntPtr.Zero : Put(new[] { filter.Value.ToRaw(this) });

        internal IntPtr Put(NbQuery? query) =>
            query == null ? IntPtr.Zero : Put(new[] { query.Value.ToRaw(this) });

        IntPtr Block(int size)
        {
            IntPtr block = Marshal.AllocHGlobal(size);
            blocks.Add(block);
            return block;
        }

        public void Dispose()
        {
            foreach (var block in blocks) Marshal.FreeHGlobal(block);
            foreach (var held in objects) held.DangerousRelease();
        }
    }
